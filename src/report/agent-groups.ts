// What are the groups of visitors called? In the order in which they are shown.
import type { AgentGroup } from '../log/agents/agents.js';

export const GROUP_NAMES: Readonly<Record<AgentGroup, string>> = {
  search: 'search',
  'ai-search': 'AI search',
  'ai-training': 'AI training',
  seo: 'SEO tools',
  monitoring: 'monitoring',
  feed: 'feed readers',
  'other-bot': 'other bots',
  person: 'people',
  unknown: 'no user agent',
};
