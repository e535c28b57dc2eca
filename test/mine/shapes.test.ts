// Inputs that a miner built on shared parts could choke on: it neither takes for ever nor loses a pair.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localEngine } from '../../src/mine/local.js';
import type { PairOptions } from '../../src/mine/engine.js';
import type { Box } from '../../src/table/envelope.js';
