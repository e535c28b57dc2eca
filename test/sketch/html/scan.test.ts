// The scanner sees what the Tokenizer of htmlparser2 sees, on pages made of everything that is special to either.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlText } from '../../../src/sketch/html.js';
import { twinText } from './twin.js';

const words = 'ax kål 中 😀 &amp; &amp &eacute &notit; &nosuch; &#x4e2d; &#20013 &#0; &copy= &#xd800; &lt;p&gt;';
const tags =
  '<!-- --> --!> <![CDATA[ ]]> <!doctype <?x </ /> <p> <P </p> <br/> <b> </b <img <svg </svg> <math> <text> <div ' +
  '<foreignObject> </foreignobject> <title> </title> <TITLE <textarea> </textarea> <script> </script> </scrip <style> ' +
  '<template> </template> <noscript> </noscript> <iframe> </iframe <xmp> </xmp> <noembed </noembed> <noframes> ' +
  '</noframes> <datalist> </datalist> <plaintext';
const spaced = [' alt=', ' ALT = "', ' href="', ' b', '</style >'];
const pieces = [...Array.from('<>/!?-="\'& ;#[]\n'), ...words.split(' '), ...tags.split(' '), ...spaced];
const page = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('') + END);

// What a page ends within differs: a tag that does not end is no text, but the Tokenizer gives parts of some.
const END = ` '">-->]]> kål`;

test('a page has the text that the Tokenizer finds', () => {
  let seen = 0;
  fc.assert(
    fc.property(page, (html) => {
      const text = htmlText(html);
      expect(text).toBe(twinText(html));
      seen += Number(text.includes('中'));
    }),
    { numRuns: 10_000, seed: 17 },
  );
  expect(seen).toBeGreaterThan(1000);
});

test.each(['a</iframe', 'a<plaintext', 'a<b c', 'a</b c', 'a<b c=', 'a<b c="d', 'a<b/', 'a<!--', 'a<!d', 'a<?'])(
  'a tag that does not end is no text: %s',
  (html) => expect(htmlText(html)).toBe('a'),
);
