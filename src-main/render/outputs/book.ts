import { strToU8, zipSync, type Zippable } from 'fflate';
import { escapeHtml } from './escape.ts';

export interface Chapter {
  label: string;
  file: string;
  title: string;
  /** XHTML. */
  content: string;
  language: string;
  changedAt: string;
  sections: { id: string; title: string }[];
}

interface Book {
  /** A URN, always the same for the same reports. */
  id: string;
  title: string;
  language: string;
  modifiedAt: string;
  credits: readonly string[];
  note: string;
  contents: string;
  chapters: readonly Chapter[];
}

/** Fonts, colors and margins are up to the e-reader. */
const STYLE = `h1 { font-size: 1.4em; line-height: 1.3; }
h2 { font-size: 1.2em; border-bottom: 1px solid; }
h3 { font-size: 1em; }
h1, h2, h3 { break-after: avoid; overflow-wrap: anywhere; }
p { white-space: pre-line; overflow-wrap: anywhere; }
.kicker, .facts, footer { font-size: 0.85em; white-space: normal; }
`;

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
`;

/** The first date of zip files: equal content gives equal files. Local time, because zip has no zones. */
const NO_DATE = new Date(1980, 0, 1);

export function toBook(book: Book): Uint8Array<ArrayBuffer> {
  const chapters = book.chapters.map((chapter) => [`EPUB/${chapter.file}`, chapterText(chapter)] as const);
  const files: Record<string, string> = {
    'META-INF/container.xml': CONTAINER,
    'EPUB/package.opf': packageText(book),
    'EPUB/nav.xhtml': navigationText(book),
    'EPUB/style.css': STYLE,
    ...Object.fromEntries(chapters),
  };
  const zipped = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(
    // First and uncompressed, so that the file type can be read from the first bytes (EPUB 3.3, section 4.2).
    { mimetype: [strToU8('application/epub+zip'), { level: 0 }], ...Object.fromEntries(zipped) } satisfies Zippable,
    { level: 6, mtime: NO_DATE },
  );
}

function chapterText({ title, language, content }: Chapter): string {
  return page(title, language, `<main>\n${content}\n</main>`);
}

/** EPUB 3.3, section 5. */
function packageText({ id, title, language, modifiedAt, credits, note, chapters }: Book): string {
  const items = chapters.map(
    ({ file }, at) => `<item id="chapter-${at + 1}" href="${escapeHtml(file)}" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, at) => `<itemref idref="chapter-${at + 1}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${escapeHtml(language)}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${escapeHtml(id)}</dc:identifier>
<dc:title>${formatLine(title)}</dc:title>
<dc:language>${escapeHtml(language)}</dc:language>
<dc:date>${escapeHtml(modifiedAt)}</dc:date>
<dc:publisher>Broadsheet</dc:publisher>
<dc:description>${escapeHtml(note)}</dc:description>
${credits.map((credit) => `<dc:source>${escapeHtml(credit)}</dc:source>`).join('\n')}
<meta property="dcterms:modified">${escapeHtml(modifiedAt.slice(0, 19))}Z</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
${items.join('\n')}
</manifest>
<spine>
<itemref idref="nav"${chapters.length === 1 ? ' linear="no"' : ''}/>
${spine.join('\n')}
</spine>
</package>
`;
}

/** EPUB 3.3, section 7. */
function navigationText({ title, language, contents, chapters }: Book): string {
  const entries = chapters.map(({ file, title: name, sections }) => {
    const inside = sections
      .map(({ id, title: label }) => ({ id, label: formatLine(label) }))
      .filter(({ label }) => label !== '')
      .map(({ id, label }) => `<li><a href="${escapeHtml(file)}#${id}">${label}</a></li>`);
    const list = inside.length === 0 ? '' : `\n<ol>\n${inside.join('\n')}\n</ol>\n`;
    return `<li><a href="${escapeHtml(file)}">${formatLine(name)}</a>${list}</li>`;
  });
  return page(
    title,
    language,
    `<nav epub:type="toc" id="toc">\n<h1>${escapeHtml(contents)}</h1>\n<ol>\n${entries.join('\n')}\n</ol>\n</nav>`,
  );
}

function page(title: string, language: string, body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="${escapeHtml(language)}" lang="${escapeHtml(language)}">
<head>
<title>${formatLine(title)}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
${body}
</body>
</html>
`;
}

function formatLine(text: string): string {
  return escapeHtml(text.replace(/\s+/g, ' ').trim());
}
