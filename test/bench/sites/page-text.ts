// What does a reader see of a page? Independent of `src/sketch`, which is measured with this truth: text of HTML
// without scripts and styles, of XML and JSON without markup. Null for what is not text.
import { Parser } from 'htmlparser2';

const UNSEEN = new Set(['script', 'style', 'noscript', 'template']);

export function textOf(type: string, body: Buffer): string | null {
  const decoded = new TextDecoder(/latin1|8859-1/i.test(type) ? 'latin1' : 'utf-8').decode(body);
  const start = decoded.slice(0, 300).trimStart();
  if (/html/i.test(type) || (type === '' && start.startsWith('<')))
    return folded(markupText(decoded, { isXml: false }));
  // What feeds carry of a page is markup in text: out with that as well.
  if (/xml/i.test(type)) return folded(markupText(markupText(decoded, { isXml: true }), { isXml: false }));
  if (/^text\/|json/i.test(type)) return folded(markupText(decoded, { isXml: false }));
  return null;
}

function markupText(source: string, { isXml }: { readonly isXml: boolean }): string {
  const parts: string[] = [];
  let unseen = 0;
  const parser = new Parser(
    {
      onopentag: (tag) => {
        if (UNSEEN.has(tag)) unseen++;
        parts.push(' ');
      },
      ontext: (text) => {
        if (unseen === 0) parts.push(text);
      },
      onclosetag: (tag) => {
        if (UNSEEN.has(tag)) unseen--;
        parts.push(' ');
      },
    },
    { xmlMode: isXml, decodeEntities: true },
  );
  parser.end(source);
  return parts.join('');
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
