import { expect, test } from 'vitest';
import { isOrderName } from '../../src/url/order-names.js';

test.each([
  ...['sort', 'sort_by', 'sort_key', '_sort_desc', 'productSort', 'list[sort]', 'sortOrder', 'sort_id'],
  ...['orderby', 'orderBy', 'order_by', 'list.order', 'dir', 'DIR', 'C', 'O'],
])('%s sorts', (name) => expect(isOrderName(name)).toBe(true));

test.each([
  ...['assorted', 'assort', 'border', 'directory', 'description', 'redirect', 'resort', 'id', ''],
  ...['order_id', 'orderNumber', 'order_key', 'dir_no', 'CC', 'c'],
])('"%s" does not', (name) => expect(isOrderName(name)).toBe(false));
