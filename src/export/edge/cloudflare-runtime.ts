// The code of the Cloudflare Worker of `modules.ts`: it redirects to the canonical form.
import { canonize } from '../esm-runtime.js';

export { canonize };

export default {
  fetch(request: Request): Response | Promise<Response> {
    const form = request.method === 'GET' || request.method === 'HEAD' ? formOf(request.url) : request.url;
    if (form === request.url) return fetch(request);
    return new Response(null, { status: 301, headers: { location: form } });
  },
};

/**
 * The form as a browser will request it. If that request would be redirected again, the URL itself, so that no redirect
 * leads to another.
 */
function formOf(url: string): string {
  const form = canonize(url);
  if (form === url || !URL.canParse(form)) return url;
  const { href } = new URL(form);
  return canonize(href) === href ? href : url;
}
