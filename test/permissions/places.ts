import { PLACES_OF_AGENTS } from "./places-of-agents";
import { PLACES_OF_CONTROL } from "./places-of-control";
import { PLACES_OF_HOME } from "./places-of-home";
import { PLACES_OF_REPORTS } from "./places-of-reports";
import type { Place } from "./place";

/** All places that are read or written, in the order of the table. */
export const PLACES: readonly Place[] = [
  ...PLACES_OF_REPORTS,
  ...PLACES_OF_HOME,
  ...PLACES_OF_CONTROL,
  ...PLACES_OF_AGENTS,
];
