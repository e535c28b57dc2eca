// The page's script, as text: functions that are checked and tested like all others, and that use nothing but what they are
// given and what every browser has. A bundler may rename them; they are put together by value.
import { createFormats } from './script-format.js';
import { openPage, unpack } from './script-page.js';
import { createRows } from './script-rows.js';
import { selectRows } from './script-select.js';
import { takeOver } from './script-table.js';

export const SCRIPT = `'use strict';
(${openPage.toString()})(window, {
  formats: (${createFormats.toString()})(),
  createRows: ${createRows.toString()},
  selectRows: ${selectRows.toString()},
  takeOver: ${takeOver.toString()},
  unpack: ${unpack.toString()},
});
`;
