/** In ms. Browsers read the file later, and the address must stay valid until then. */
const LIFETIME_MS = 60_000;

export function saveFile(name: string, body: Blob): void {
  const address = URL.createObjectURL(body);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), LIFETIME_MS);
}
