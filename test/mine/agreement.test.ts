// The miner and its naive twin agree on every pair, after every phase, within any memory.
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localEngine } from '../../src/mine/local.js';
import { Miner } from '../../src/mine/mine.js';
import { encodeText } from '../../src/base/bytes.js';
import { createReadReport, readRecords } from '../../src/log/read.js';
import type { MineOptions } from '../../src/rule/rule.js';
import { orderUrls } from '../../src/table/order.js';
import { createSiteOf } from '../../src/url/site.js';
