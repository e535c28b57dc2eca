// Where does a list of items stand in a URL? It is the text of the steps that sort items and drop repeated ones:
//
//     ?tags ,                     tags=b,a                     the value of a parameter
//     ?tag &                      tag=b&tag=a                  the values of a repeated parameter
//     /filter/ ,                  /filter/b,a                  the segment after a segment
//     /catalog/ /                 /catalog/b/a/                all segments below a folder at the start of the path
//     /catalog/ / color size      /catalog/size/m/color/red    each item begins with one of these heads
//
// Names are written as they stand in URLs, but without numbers in brackets: `f[]` is also `f[0]` and `f[1]`. Separators
// are decoded: `,` is also `%2C`. So are heads, in which `%`, spaces and control characters are escaped.

/** Where a list of items stands in a URL, and how it is split. */
export interface ItemsPlace {
  /** The value of the parameter `name`; the segment after the segment `name`; all segments below the folder `name`, such as `/catalog/`; the values of the repeated parameter `name`. */
  readonly slot: 'parameter' | 'after' | 'below' | 'repeated';
  readonly name: string;
  /** One decoded character: one of , | ; / ~ ! + - _ : ; `/` for below, `&` for repeated. */
  readonly separator: string;
  /** If given, an item is one of these heads and what follows up to the next. */
  readonly heads?: readonly string[];
}

/** The place as the text of a step. */
export function placeText({ slot, name, separator, heads = [] }: ItemsPlace): string {
  const where = slot === 'below' ? name : slot === 'after' ? `/${name}/` : `?${name}`;
  return [where, separator, ...heads.map(escaped)].join(' ');
}

function escaped(head: string): string {
  // eslint-disable-next-line no-control-regex -- a head is decoded
  return head.replace(/[%\u0000-\u0020\u007f]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Texts that say no place. */
export const placeFault = {
  pattern: /^(?!(\?[^/&;=#\s]+ ([-,|/~!+_:;]|&$)|\/[^/?;#\s]+\/ [-,|~!+_:;]|\/([^?;#\s]*\/)? \/)( \S+)*$)/,
  reason: 'it has to be such as "?tags ,", "?tag &", "/filter/ ," or "/shop/ /", and heads',
};

/** The place that a valid text says; heads as they are written. */
export function readPlace(text: string): Required<ItemsPlace> {
  const [where, separator, ...heads] = text.split(' ') as [string, string, ...string[]];
  const slot =
    where[0] === '?' ? (separator === '&' ? 'repeated' : 'parameter') : separator === '/' ? 'below' : 'after';
  return { slot, name: slot === 'below' ? where : where.replace(/^[?/]|\/$/g, ''), separator, heads };
}

/** The text that every URL with such a list has: the name, up to a bracket with a number. */
export function keyOfPlace(text: string): string {
  return /^.*?(?:\[|%5b|$)/i.exec(readPlace(text).name)![0];
}
