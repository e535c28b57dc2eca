// Colour for people, never the only way something is conveyed. Text has to be made safe for a terminal before it is
// painted.
import { styleText } from 'node:util';

export interface Paint {
  readonly heading: (text: string) => string;
  /** For good news, bad news, and neither. */
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly open: (text: string) => string;
}

const asItIs = (text: string): string => text;

export const PLAIN: Paint = { heading: asItIs, good: asItIs, bad: asItIs, open: asItIs };

type Style = Parameters<typeof styleText>[0];

/** From Node 22 on, `styleText` checks standard output itself unless told not to. */
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
