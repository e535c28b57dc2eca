// Which options does `dustbuster formats` have?
import { FORMAT_OPTIONS, type FormatFlags } from './format.js';
import type { TerminalFlags } from './terminal.js';

export const FORMATS_OPTIONS = FORMAT_OPTIONS;

export type FormatsFlags = FormatFlags & TerminalFlags;
