import { describe, expect, it } from 'vitest';
import { decoded, parted, wordsOf } from '../../../../src/validate/permission/action/text.js';

const words = (escaped: string) => wordsOf(parted(decoded(escaped))).join(' ');

describe('the words of a piece', () => {
  it.each([
    ['addToCart', 'add to cart'],
    ['ADD_TO_CART', 'add to cart'],
    ['Add%20to+cart', 'add to cart'],
    ['ADD2CART', 'add cart'],
    ['XMLFile', 'xml file'],
    ['user12', 'user'],
    ['0a1b2c', 'a1b2c'],
    ['L%C3%B6schen', 'loschen'],
    ['l%F6schen', 'loschen'],
    ['%F3%E4%E0%EB%E8%F2%FC', 'удалить'],
    ['%25D1%2583', 'у'],
    ['usu%C5%84', 'usun'],
    ['s%C4%B1f%C4%B1rla', 'sifirla'],
    ['%EC%82%AD%EC%A0%9C', '삭제'],
    ['%FF', 'y'],
    ['%zz%', 'zz'],
    ['', ''],
    ['a-'.repeat(13), ''],
    ['x'.repeat(1_001), ''],
  ])('of %s are %s', (escaped, expected) => expect(words(escaped)).toBe(expected));
});
