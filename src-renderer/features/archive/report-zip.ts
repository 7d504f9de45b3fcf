import { Zip, ZipDeflate, strToU8 } from 'fflate';

/**
 * Returns a zip archive that is built text by text. It compresses in this thread: the library's workers start from
 * addresses that the content security policy refuses, and a text takes less than a frame.
 */
export function textZip(): { add: (name: string, text: string) => void; end: () => Blob } {
  const chunks: BlobPart[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  return {
    add: (name, text) => {
      const file = new ZipDeflate(name, { level: 6 });
      zip.add(file);
      file.push(strToU8(text), true);
    },
    end: () => {
      zip.end();
      return new Blob(chunks, { type: 'application/zip' });
    },
  };
}
