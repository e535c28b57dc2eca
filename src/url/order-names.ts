// Which parameters say how a list is sorted, by their names? A list in another order is as long to the byte, so that no
// size says whether such a parameter matters.

const ORDER_WORDS = new Set(
  'sort sorted sorting sortby sortorder sortdir sortkey order orderby orderdir ordering asc desc dir direction'.split(
    ' ',
  ),
);
/** Of Apache's folder listings. */
const FOLDER_LISTING = new Set(['C', 'O']);
/** Words that are also what has a number: `order_id` is a purchase, `dir_no` a folder. */
const THINGS = new Set(['order', 'dir', 'direction']);
const NUMBER_WORDS = new Set(['id', 'no', 'nr', 'num', 'number', 'key']);

/** `sort`, `sortOrder`, `list.order-by`, `_sort_desc`; not `border`, and not `order_id`. */
export function isOrderName(name: string): boolean {
  if (FOLDER_LISTING.has(name)) return true;
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const isThing = words.some((word) => NUMBER_WORDS.has(word));
  return words.some((word) => ORDER_WORDS.has(word) && !(isThing && THINGS.has(word)));
}
