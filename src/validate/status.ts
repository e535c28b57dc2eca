// What does an HTTP status say of the page that was asked for (`MissingReason`, `UnavailableReason`)?

/** A definite no: 4xx, without those that only ask for patience, and the 5xx that blame the request. */
export function isMissing(status: number): boolean {
  return isRefusal(status) || status === 500 || status === 501;
}

/** 4xx, without those that only ask for patience. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
}

/** Statuses whose Location is to be followed. */
export function isRedirect(status: number): boolean {
  return (status >= 300 && status <= 303) || status === 307 || status === 308;
}
