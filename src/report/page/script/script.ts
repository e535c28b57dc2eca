// The page's script, as text: functions that are checked and tested like all others, and use only their arguments and
// what every browser has. A bundler may rename them; they are assembled by value.
import { csvOf } from './csv.js';
import { createFormats } from './format.js';
import { openPage, unpack } from './page.js';
import { createRows } from './rows.js';
import { selectRows } from './select.js';
import { takeOver } from './table.js';

export const SCRIPT = `'use strict';
(${openPage.toString()})(window, {
  formats: (${createFormats.toString()})(),
  createRows: ${createRows.toString()},
  csvOf: ${csvOf.toString()},
  selectRows: ${selectRows.toString()},
  takeOver: ${takeOver.toString()},
  unpack: ${unpack.toString()},
});
`;
