/** Where a list of items stands in a URL, and how it is split. */
export interface ItemsPlace {
  /** The value of the parameter `name`; the segment after the segment `name`; all segments below the folder `name`, such as `/catalog/`; the values of the repeated parameter `name`. */
  readonly slot: 'parameter' | 'after' | 'below' | 'repeated';
  readonly name: string;
  /** One decoded character: one of , | ; / ~ ! + - _ : ; `/` for below, `&` for repeated. */
  readonly separator: string;
  /** If given, an item is one of these heads and what follows up to the next head. */
  readonly heads?: readonly string[];
}
