// The console's address. Until the console itself is built, a page that says where the operator API and its documents are.
import type { FastifyInstance } from 'fastify';

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tollgate</title><meta name="viewport" content="width=device-width">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:4rem auto;padding:0 1rem;color:#1c2430;background:#fff}
code,pre{background:#eef1f5;border-radius:4px;padding:.1em .35em}pre{padding:.8em;overflow:auto}a{color:#0b57d0}
@media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#14181f}code,pre{background:#232a35}a{color:#8ab4f8}}</style></head>
<body><main><h1>Tollgate is running</h1>
<p>Everything an operator does goes through the operator API: accounts, credits, groups, tokens, channels, models, prices, flags,
requests, ledger and audit. Its reference is at <a href="docs">/docs</a>.</p>
<p>Sign in with the operator name and the password printed at the first start:</p>
<pre>curl -c cookies -H 'content-type: application/json' \\
  -d '{"name":"admin","password":"..."}' \${origin}/operator/v1/session</pre>
<p>or set <code>TOLLGATE_OPERATOR_KEY</code> and send it as <code>Authorization: Bearer</code>.</p></main></body></html>`;

export function registerConsole(app: FastifyInstance, prefix: string): void {
  for (const path of ['/console', '/console/*']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header(
          'content-security-policy',
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
        )
        .send(PAGE.replace('${origin}', `http://${(request.headers.host ?? 'localhost').replace(/[^\w.:[\]-]/g, '')}`)),
    );
  }
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect(`${prefix}/console`));
}
