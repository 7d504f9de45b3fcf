/** The used part of jsdom, because browser types are not available here. */
declare module 'jsdom' {
  export interface ParsedElement {
    readonly localName: string;
    readonly namespaceURI: string | null;
    readonly textContent: string | null;
    readonly lang: string;
    readonly href: string;
    readonly children: Iterable<ParsedElement>;
    getAttribute(name: string): string | null;
    getElementsByTagName(name: string): { readonly [at: number]: ParsedElement };
    querySelector(selector: string): ParsedElement | null;
    querySelectorAll(selector: string): Iterable<ParsedElement> & { readonly length: number };
  }

  export interface ParsedDocument extends ParsedElement {
    readonly doctype: { readonly name: string } | null;
    readonly compatMode: string;
    readonly title: string;
    readonly body: ParsedElement;
    readonly documentElement: ParsedElement;
    getElementById(id: string): ParsedElement | null;
  }

  export class JSDOM {
    readonly window: {
      readonly DOMParser: new () => { parseFromString(text: string, type: string): ParsedDocument };
    };
  }
}
