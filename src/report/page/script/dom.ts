// Types of the few browser APIs that the page's script uses. TypeScript's DOM types would be visible in every file of
// the program, which does not run in a browser.

export interface PageElement {
  id: string;
  className: string;
  textContent: string | null;
  hidden: boolean;
  value: string;
  disabled: boolean;
  readonly isConnected: boolean;
  readonly nextElementSibling: PageElement | null;
  readonly firstElementChild: PageElement | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  getAttribute(name: string): string | null;
  append(...nodes: (PageElement | string)[]): void;
  prepend(...nodes: (PageElement | string)[]): void;
  after(...nodes: PageElement[]): void;
  before(...nodes: PageElement[]): void;
  replaceChildren(...nodes: (PageElement | string)[]): void;
  remove(): void;
  querySelectorAll(selector: string): Iterable<PageElement>;
  querySelector(selector: string): PageElement | null;
  addEventListener(event: string, listener: (event: PageEvent) => void): void;
  /** This element or the nearest one around it that the selector matches. */
  closest(selector: string): PageElement | null;
  click(): void;
  getBoundingClientRect(): { readonly top: number };
  scrollIntoView(options?: { readonly block: 'start' | 'center' }): void;
  focus(): void;
}

interface PageEvent {
  readonly target: PageElement;
}

export interface PageDocument {
  readonly documentElement: PageElement;
  getElementById(id: string): PageElement | null;
  createElement(name: string): PageElement;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

export interface PageWindow {
  readonly document: PageDocument;
  readonly location: { readonly hash: string };
  /** Undefined if a page may not write to the clipboard. */
  readonly navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } };
  getSelection(): { selectAllChildren(element: PageElement): void; toString(): string } | null;
  addEventListener(event: string, listener: () => void): void;
}
