// How is text of an address set off from the words around it? With backticks, as in the manuals. A backtick in the text
// is shown as its escape, which is the same address.

export function quoted(text: string): string {
  return `\`${text.replaceAll('`', '%60')}\``;
}

/** Such as `a`, `a or b`, `a, b or c`. */
export function listed(texts: readonly string[], last: 'and' | 'or' = 'and'): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${last} ${texts.at(-1)}`;
}
