// Which options decide what is mined, so that a rules file has to record them? Each is defined here once, by its
// schema: from it come the type of the options in a file, the order in which they are written, and the words that the
// command line takes (cli/flags/mine, which adds ranges, defaults and help). Browsers have this file too, so it holds
// nothing else.

export const count = { type: 'integer', minimum: 0 } as const;
const positive = { type: 'number', minimum: 0 } as const;
export const yesOrNo = { type: 'boolean' } as const;

/** In the order of the file. A number may be outside of the current range of the command line. */
export const RECORDED = {
  S: count,
  T_low: count,
  T_high: count,
  MRD: positive,
  MAD: positive,
  MW: count,
  MS: count,
  rank: { enum: ['likeliness', 'confidence', 'support'] },
  similarity: yesOrNo,
  site: { enum: ['domain', 'host', 'all'] },
  minSiteUrls: count,
  scheme: { enum: ['http', 'https'] },
  /** Null if it was not given. */
  base: { type: ['string', 'null'] },
  maxUrlLength: count,
  parameters: yesOrNo,
  paramMinUrls: count,
} as const;

/** Options that files before 0.2 lack. A new option goes here too, so that existing files stay valid. */
export const RECORDED_LATER = ['parameters', 'paramMinUrls'] as const;

type Name = keyof typeof RECORDED;
type Later = (typeof RECORDED_LATER)[number];

type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : Schema extends { readonly minimum: 0 }
    ? number
    : Schema extends typeof yesOrNo
      ? boolean
      : string | null;

export type RecordedOptions = { readonly [N in Exclude<Name, Later>]: ValueOf<(typeof RECORDED)[N]> } & {
  readonly [N in Later]?: ValueOf<(typeof RECORDED)[N]>;
};

/** The `options` that a file records, in its order. */
export function recordedOptions(options: RecordedOptions): RecordedOptions {
  const names = Object.keys(RECORDED) as Name[];
  return Object.fromEntries(names.map((name) => [name, options[name]])) as unknown as RecordedOptions;
}
