// Recognizes parameters that sort a list, by their names. A list in another order has the same length to the byte, so
// sizes do not show whether the parameter matters.

const ORDER_WORDS = new Set(
  'sort sorted sorting sortby sortorder sortdir sortkey order orderby orderdir ordering asc desc dir direction'.split(
    ' ',
  ),
);
/** Parameters of Apache's folder listings. */
const FOLDER_LISTING = new Set(['C', 'O']);
/** With a word for a number these are things, not orders: `order_id` is a purchase, `dir_no` a folder. */
const THINGS = new Set(['order', 'dir', 'direction']);
const NUMBER_WORDS = new Set(['id', 'no', 'nr', 'num', 'number', 'key']);

/** True for `sort`, `sortOrder`, `list.order-by`, `_sort_desc`; not for `border` and `order_id`. */
export function isOrderName(name: string): boolean {
  if (FOLDER_LISTING.has(name)) return true;
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const isThing = words.some((word) => NUMBER_WORDS.has(word));
  return words.some((word) => ORDER_WORDS.has(word) && !(isThing && THINGS.has(word)));
}
