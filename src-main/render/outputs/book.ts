import { strToU8, zipSync, type Zippable } from 'fflate';
import { drawCover } from './cover.ts';
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
  creator: string;
  language: string;
  modifiedAt: string;
  credits: readonly string[];
  note: string;
  contents: string;
  /** Lines of the cover. */
  dates: readonly string[];
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
    'EPUB/toc.ncx': ncxText(book),
    'EPUB/cover.xhtml': coverText(book),
    'EPUB/style.css': STYLE,
    ...Object.fromEntries(chapters),
  };
  const zipped = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(
    // First and uncompressed, so that the file type can be read from the first bytes (EPUB 3.3, section 4.2).
    {
      mimetype: [strToU8('application/epub+zip'), { level: 0 }],
      ...Object.fromEntries(zipped),
      'EPUB/cover.png': [drawCover(book.dates), { level: 0 }],
    } satisfies Zippable,
    { level: 6, mtime: NO_DATE },
  );
}

function chapterText({ title, language, content }: Chapter): string {
  return page(title, language, `<main>\n${content}\n</main>`);
}

/** EPUB 3.3, section 5. */
function packageText({ id, title, creator, language, modifiedAt, credits, note, chapters }: Book): string {
  const items = chapters.map(
    ({ file }, at) => `<item id="chapter-${at + 1}" href="${escapeHtml(file)}" media-type="application/xhtml+xml"/>`,
  );
  const spine = chapters.map((_, at) => `<itemref idref="chapter-${at + 1}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${escapeHtml(language)}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${escapeHtml(id)}</dc:identifier>
<dc:title>${formatLine(title)}</dc:title>
<dc:creator>${formatLine(creator)}</dc:creator>
<dc:language>${escapeHtml(language)}</dc:language>
<dc:date>${escapeHtml(modifiedAt)}</dc:date>
<dc:publisher>Broadsheet</dc:publisher>
<dc:description>${escapeHtml(note)}</dc:description>
${credits.map((credit) => `<dc:source>${escapeHtml(credit)}</dc:source>`).join('\n')}
<meta property="dcterms:modified">${escapeHtml(modifiedAt.slice(0, 19))}Z</meta>
<meta name="cover" content="cover"/>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>
<item id="cover-page" href="cover.xhtml" media-type="application/xhtml+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
${items.join('\n')}
</manifest>
<spine toc="ncx">
<itemref idref="cover-page"/>
<itemref idref="nav"${chapters.length === 1 ? ' linear="no"' : ''}/>
${spine.join('\n')}
</spine>
</package>
`;
}

function coverText({ title, language }: Book): string {
  return page(title, language, `<p><img src="cover.png" alt="${formatLine(title)}" style="max-width: 100%"/></p>`);
}

/** For readers of EPUB 2 (Open Packaging Format 2.0.1, section 2.4.1). */
function ncxText({ id, title, chapters }: Book): string {
  const point = (place: string, label: string, at: string, inside = ''): string =>
    `<navPoint id="${at}"><navLabel><text>${formatLine(label)}</text></navLabel><content src="${escapeHtml(place)}"/>${inside}</navPoint>`;
  const points = chapters.map((chapter, at) => {
    const inside = namedSections(chapter).map((one) =>
      point(`${chapter.file}#${one.id}`, one.title, `c${at + 1}-${one.id}`),
    );
    return point(chapter.file, chapter.title, `c${at + 1}`, inside.join(''));
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
<head><meta name="dtb:uid" content="${escapeHtml(id)}"/></head>
<docTitle><text>${formatLine(title)}</text></docTitle>
<navMap>
${points.join('\n')}
</navMap>
</ncx>
`;
}

function namedSections({ sections }: Chapter): Chapter['sections'] {
  return sections.filter(({ title }) => formatLine(title) !== '');
}

/** EPUB 3.3, section 7. */
function navigationText({ title, language, contents, chapters }: Book): string {
  const entries = chapters.map((chapter) => {
    const { file, title: name } = chapter;
    const inside = namedSections(chapter).map(
      ({ id, title: label }) => `<li><a href="${escapeHtml(file)}#${id}">${formatLine(label)}</a></li>`,
    );
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
