// Colours for people. Nothing is conveyed by colour alone. Make text safe for a terminal before painting it.
import { styleText } from 'node:util';

export interface Paint {
  readonly heading: (text: string) => string;
  /** Good news, bad news, and neither. */
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly open: (text: string) => string;
}

const asItIs = (text: string): string => text;

export const PLAIN: Paint = { heading: asItIs, good: asItIs, bad: asItIs, open: asItIs };

type Style = Parameters<typeof styleText>[0];

/** From Node 22 on, `styleText` checks standard output itself unless `validateStream` is off. */
const painted =
  (style: Style) =>
  (text: string): string =>
    text === '' ? '' : styleText(style, text, { validateStream: false });

export const COLOURED: Paint = {
  heading: painted('bold'),
  good: painted('green'),
  bad: painted(['bold', 'red']),
  open: painted('yellow'),
};
