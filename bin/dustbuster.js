#!/usr/bin/env node
import { main } from '../dist/program/cli/main.js';

await main(process.argv.slice(2));
