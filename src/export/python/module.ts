// A rules file as a Python module: the rules as data, and after them the canonizer in Python (`canonizer`). Rules whose
// site cannot be determined without the public suffix list are left out. Text is written as bytes literals of printable
// ASCII, so no text of a log can end a literal.
import { encodeText } from '../../base/bytes.js';
import { maxFormBytes } from '../../canonize/limits.js';
import { spelledRule } from '../../rule/apply.js';
import type { Condition, ParameterRule, Rule } from '../../rule/rule.js';
import { sayRule } from '../heading.js';
import { hasSubdomains, hasSuffixesBelow, SUFFIXES_BELOW } from '../public-suffixes.js';
import { canonizerInPython } from './canonizer.js';
import type { ExportRequest, Exported } from '../target.js';

/** What a target adds to the module: lines of its docstring, and code at its end. */
interface Addition {
  readonly about: string;
  readonly code: string;
}

/** The module of every target in Python. */
export function writeModule(request: ExportRequest, { about, code }: Addition): Exported {
  const { normalization, urlForm, sitePolicy, maxIterations, source, generator } = request;
  const isUnsaid = ({ site }: Rule) => hasSuffixesBelow(site, sitePolicy);
  const rules = request.rules.filter((rule) => !isUnsaid(rule));
  const left = request.rules.filter(isUnsaid).map((rule) => ({ rule, reason: SUFFIXES_BELOW }));
  const sites = new Set(rules.map(({ site }) => site));
  const text = `"""Canonical URLs by the rules of ${inComment(source)}, written by ${inComment(generator)}.

${about}
${request.aboutKeys === undefined ? '' : `\n${request.aboutKeys}\n`}${left.length === 0 ? '' : `\nLeft out:\n${left.map(({ rule, reason }) => `  ${inComment(sayRule(rule))}: ${reason}\n`).join('')}`}"""
import ipaddress
import re
from functools import lru_cache

NORMALIZE = ${normalization === 'safe' ? 'True' : 'False'}
PATH_FORM = ${urlForm === 'path' ? 'True' : 'False'}
SITE_POLICY = "${sitePolicy}"
MAX_ROUNDS = ${maxIterations}
MAX_BYTES = ${maxFormBytes}

# The sites that the rules are for; URLs of other sites stay as they are. None for all sites.
SCOPE = ${pythonScope(request)}

# The sites of the rules; True if the rules hold for all hosts below the site.
SITES = {
${Array.from(sites, (site) => `    ${pythonBytes(site)}: ${hasSubdomains(site) ? 'True' : 'False'},\n`).join('')}}
${canonizerInPython}

# In rank order.
RULES = [
${rules.map((rule) => `    ${pythonRule(normalization === 'safe' ? { ...spelledRule(rule), site: rule.site } : rule)},\n`).join('')}]
${code}`;
  return { text, carried: rules, left };
}

/** Such as `frozenset([b"example.com"])`. */
function pythonScope({ scope }: ExportRequest): string {
  return scope === undefined ? 'None' : `frozenset([${scope.map(pythonBytes).join(', ')}])`;
}

function pythonRule(rule: Rule): string {
  const site = pythonBytes(rule.site);
  const list = (rule.except ?? []).map(pythonBytes);
  const exceptions = list.length > 0 ? `, exceptions=[${list.join(', ')}]` : '';
  const except = `${conditionsOf('only', rule.only)}${conditionsOf('never', rule.not)}${exceptions}`;
  switch (rule.kind) {
    case 'substring':
      return `Substring(${site}, ${pythonBytes(rule.from)}, ${pythonBytes(rule.to)}, "${rule.anchor}"${except})`;
    case 'parameter':
      return pythonParameter(rule, except);
    case 'step':
      return `${rule.step.endsWith('-items') ? 'Items' : 'Step'}(${site}, "${rule.step}", ${pythonBytes(rule.text)}${except})`;
    case 'pattern':
      throw new Error('the module has no patterns');
    default:
      return rule satisfies never;
  }
}

/** Such as `, only=[("first", b"feed")]`. */
function conditionsOf(name: string, conditions: readonly Condition[] | undefined): string {
  if (conditions === undefined) return '';
  const list = conditions.map(({ part, is }) => `("${part}", ${typeof is === 'string' ? pythonBytes(is) : is})`);
  return `, ${name}=[${list.join(', ')}]`;
}

function pythonParameter(rule: ParameterRule, except: string): string {
  const site = pythonBytes(rule.site);
  const action = rule.action === 'set' && rule.value === null ? 'bare' : rule.action;
  const value = rule.action === 'set' && rule.value !== null ? `, value=${pythonBytes(rule.value)}` : '';
  const scope = rule.scope === 'site' ? '' : `, scope="${rule.scope}", path=${pythonBytes(rule.path)}`;
  return `Parameter(${site}, ${pythonBytes(rule.name)}, "${action}"${value}${scope}${except})`;
}

/** Such as `b"/a\xe4"`. */
function pythonBytes(text: string): string {
  const chars = Array.from(encodeText(text), (byte) => {
    if (byte < 0x20 || byte > 0x7e) return `\\x${byte.toString(16).padStart(2, '0')}`;
    return byte === 0x22 || byte === 0x5c ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte);
  });
  return `b"${chars.join('')}"`;
}

/** Text for a docstring, without anything that ends it or begins an escape. */
function inComment(text: string): string {
  return text.replace(/[^ !#-[\]-~]/gu, '?');
}
