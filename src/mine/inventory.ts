// What is known of the parameters of a site? One inventory: rules (`parameter`) and the table of a report are read off it.
//
//   parameter-names    which names occur in enough URLs? (each URL is scanned by parameter-scan)
//   parameter-rows     (URL, parameter) rows, sorted by the URL without the parameter
//   parameter-groups   URLs that are equal except for a parameter: is the group for it or against it?
//   parameter-chance   would it, if its pages were others of the same template?
//   parameter-facts    what a report shows beside that, if it lists some of them
//
// Between the steps are external sorts: nothing in memory grows with groups or members, except 4 bytes for each value
// that several URLs have.
import { decodeText } from '../base/bytes.js';
import { PROGRESS_MASK } from '../base/progress.js';
import { RowWriter } from '../base/row.js';
import { SpillSorter } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { SILENT } from '../table/nearness.js';
import type { SiteUrls } from '../table/site-urls.js';
import { hostStart, pathStart } from '../url/form.js';
import type { Room } from './engine.js';
import { eachGroupByChance, NameTotals } from './parameter-chance.js';
import { GroupMeter, type Listing, type ListedParameter } from './parameter-facts.js';
import { Comparison, writeGroup } from './parameter-group.js';
import { eachGroup } from './parameter-groups.js';
import { collectMembers, type MemberOptions, type Members } from './parameter-rows.js';
import { GroupsByPlace } from './parameter-scope.js';

export interface InventoryOptions extends MemberOptions {
  readonly MS: number;
  /** False treats all members of a group as the same, as in phase 1. */
  readonly similarity: boolean;
}

export interface Inventory {
  readonly members: Members;
  readonly totals: NameTotals;
  /** The groups of mined names, each with what chance says about it. */
  readonly byPlace: GroupsByPlace;
  /** Empty unless a report lists some. */
  readonly listing: Listing;
}

/** Undefined for a list without a parameter that could be mined or listed. */
export function takeInventory(urls: SiteUrls, options: InventoryOptions, room: Room): Inventory | undefined {
  const members = collectMembers(urls, options, room);
  if (members === undefined) return undefined;
  const { names, places, listed } = members;
  const comparison = new Comparison(urls, options.similarity);
  const totals = new NameTotals(names.count);
  const grouping = roomFor('parameters/grouping', room);
  const meter = listed && new GroupMeter(urls, names, listed.usual(), grouping);
  const groups = new SpillSorter(roomFor('parameters/groups', room), room.stats);
  const line = new RowWriter();
  let written = 0;
  eachGroup(members, comparison, meter, grouping, (group) => {
    if ((++written & PROGRESS_MASK) === 0) room.progress?.tick();
    totals.add(group);
    meter?.end(group);
    writeGroup(line.clear(), group, SILENT);
    groups.add(line.bytes, 0, line.length, 0);
  });
  const neutral = totals.neutral(options.MS, (name) => names.isMined(name));
  meter?.endGroups(names, neutral);
  const byPlace = new GroupsByPlace(roomFor('parameters/by-place', room));
  const chanceRoom = roomFor('parameters/by-chance', room);
  const neutralNames = neutral.map((name) => names.name(name));
  eachGroupByChance(places, neutralNames, groups.finish(), comparison, chanceRoom, (group, chance, other) => {
    if ((--written & PROGRESS_MASK) === 0) room.progress?.tick();
    meter?.addChance(group, chance, other);
    if (names.isMined(group.name)) byPlace.add(group, chance, placeOf(places.urlOf(group.first), names.withHost));
  });
  return { members, totals, byPlace, listing: listingOf(urls.site, members, totals, meter) };
}

export const NO_LISTING: Listing = { parameters: [], names: 0 };

function listingOf(
  site: string,
  { names, listed }: Members,
  totals: NameTotals,
  meter: GroupMeter | undefined,
): Listing {
  if (listed === undefined || meter === undefined) return NO_LISTING;
  const parameters: ListedParameter[] = [];
  for (let name = 0; name < names.count; name++) {
    if (!names.isListed(name)) continue;
    parameters.push({
      site,
      name: decodeText(names.name(name)),
      urls: names.urls[name]!,
      hits: listed.hits[name]!,
      values: listed.values[name]!,
      commonest: listed.commonest(name),
      facts: meter.facts(name, totals.of(name, 'all')),
    });
  }
  return { parameters, names: names.inList };
}

/**
 * The position of a URL in the tree of scopes: `//host/path`, or `/path` if the list has no hosts. Empty if no scope
 * can express it: without host among others with one, as a path alone means every host (`rule/parameter`).
 */
function placeOf(url: Uint8Array, withHost: number): Uint8Array {
  const host = hostStart(url);
  if (host < 0 && (withHost > 0 || url[1] === 0x2f)) return url.subarray(0, 0);
  let end = pathStart(url);
  while (end < url.length && url[end] !== 0x3b && url[end] !== 0x3f) end++;
  return url.subarray(host < 0 ? 0 : host - 2, end);
}
