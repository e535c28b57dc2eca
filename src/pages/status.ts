// What does an HTTP status say about the page (`MissingReason`, `UnavailableReason`)?

/** A definite no: 4xx except those that mean "later", and the 5xx that blame the request. */
export function isMissing(status: number): boolean {
  return isRefusal(status) || status === 500 || status === 501;
}

/** 4xx except those that mean "later". */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
}

/** Statuses whose Location is followed. */
export function isRedirect(status: number): boolean {
  return (status >= 300 && status <= 303) || status === 307 || status === 308;
}
