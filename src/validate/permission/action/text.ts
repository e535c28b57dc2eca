// Which words are in a piece of a URL? Escapes are decoded twice, as by a server behind a proxy, and letters are
// folded:
//
//   addToCart, ADD_TO_CART, add-to-cart, Add%20to%20cart, ADD2CART     add to cart (or add cart)
//   Löschen, l%F6schen                                                 loschen
//   %F3%E4%E0%EB%E8%F2%FC                                              удалить (windows-1251, as it is not UTF-8)
//   user12                                                             user

/** A piece with more words is prose, or is made to waste time. */
const MAX_WORDS = 12;
const MAX_LENGTH = 1_000;

/** The words, in lower case and without accents; none if there are too many. Numbers do not count. */
export function wordsOf(text: string): readonly string[] {
  if (text.length > MAX_LENGTH) return [];
  if (/^[a-z]*$/.test(text)) return text === '' ? [] : [text];
  const plain = folded(text);
  const tokens = plain.match(isAscii(plain) ? /[a-z][a-z\d]*/g : /\p{L}[\p{L}\p{N}]*/gu) ?? [];
  if (tokens.length > MAX_WORDS) return [];
  return tokens.flatMap((token) => (/\p{N}/u.test(token) ? withoutNumbers(token) : token));
}

/** `user12` becomes user, `add2cart` add and cart; `e0add12` stays unchanged. */
function withoutNumbers(token: string): readonly string[] {
  const [word, ...more] = token.split(/\p{N}+/u);
  if (more.length === 1) return [word!, ...more].filter((part) => part !== '');
  return [token];
}

/** `addToCart` and `XMLFile` with spaces between the words; the text itself if there are none. */
export function parted(text: string): string {
  return /\p{L}\p{Lu}/u.test(text)
    ? text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    : text;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Letters that `normalize` does not split into a letter and an accent. */
const OTHER_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

/** Lower case without accents, and without the vowel signs of scripts that have them. */
export function folded(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}|\u200c|\u200d|·/gu, '')
    .replace(/[øłđðþßæœı]/g, (letter) => OTHER_LETTERS[letter]!)
    .normalize('NFC');
}

/** Escapes decoded twice; `+` is a space. */
export function decoded(text: string): string {
  const plain = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!plain.includes('%')) return plain;
  const once = decodeOnce(plain);
  return once.includes('%') ? decodeOnce(once) : once;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const CYRILLIC = new TextDecoder('windows-1251');

function decodeOnce(escaped: string): string {
  return escaped.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    try {
      return UTF_8.decode(bytes);
    } catch {
      // A word of letters from the upper half is Cyrillic; a single one in a Latin word is an umlaut.
      const isWord = bytes.length > 2 && bytes.every((byte) => byte >= 0xa8 || byte === 0x20);
      return isWord ? CYRILLIC.decode(bytes) : bytes.toString('latin1');
    }
  });
}
