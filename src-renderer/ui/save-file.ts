/** Browsers take the file when they get to it; the address has to live as long. */
const LIFETIME_MS = 60_000;

/** Hands a file to the browser, which saves it among the downloads. */
export function saveFile(name: string, body: Blob): void {
  const address = URL.createObjectURL(body);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), LIFETIME_MS);
}
