import { expect, test } from 'vitest';
import { isOrderName } from '../../src/url/order-names.js';

const SORTING =
  'sort sort_by sort_key sort_id _sort_desc productSort list[sort] sortOrder orderby orderBy order_by dir DIR C O';
const OTHERS = 'assorted border directory description redirect resort id order_id orderNumber order_key dir_no CC c';

test.each(SORTING.split(' '))('%s sorts', (name) => expect(isOrderName(name)).toBe(true));
test.each(['', ...OTHERS.split(' ')])('"%s" does not', (name) => expect(isOrderName(name)).toBe(false));
