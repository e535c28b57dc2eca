// What do the exports for web servers promise alike? One redirect to where `canonize` leads, or none.

/** How often a step of a rule that is to be repeated is done before the URL is given up. */
export const maxTimes = 4;

export const webPromise = `A GET or HEAD for a URL that is not canonical is sent to its canonical form, in one redirect (301): a URL that is
normalised goes where dustbuster canonize sends it. It is left alone if a form on the way would have to be normalised, if
canonize would not settle it, or if a parameter or empty fields stand in it in more than ${maxTimes} places.`;
