// OpenID Connect issuer of tests: npm's oidc-provider, whose page of a person is a list of links.
// Usage: issuer.mjs; the first line of its output is its address, and the first line of its input that of the desk.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import * as oidc from "oidc-provider";

const Provider = oidc.Provider ?? oidc.default;
// Groups of each person, as the last sign-in named them.
const groups = new Map();
const input = createInterface({ input: process.stdin });

const server = createServer(async (request, response) => (await ready)(request, response));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provide = (desk) => {
  const provider = new Provider(issuer, {
    clients: [{
      client_id: "desk", client_secret: "secret-of-the-desk", redirect_uris: [`${desk}/login/oidc/callback`],
      response_types: ["code"], grant_types: ["authorization_code"],
    }],
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"] },
    cookies: { keys: ["tests"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, groups: groups.get(id) ?? [] }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
  });
  provider.use(async (context, next) => {
    const [, uid, user] = /^\/interaction\/([^/]+)(?:\/(\w+))?$/.exec(context.path) ?? [];
    if (!uid) return next();
    if (!user) {
      context.type = "html";
      context.body = ["ada", "eve"].map((name) => `<p><a href="/interaction/${uid}/${name}?groups=desk">I am ${name}</a></p>`).join("");
      return;
    }
    groups.set(user, String(context.query.groups ?? "").split(",").filter(Boolean));
    const { params } = await provider.interactionDetails(context.req, context.res);
    const grant = new provider.Grant({ accountId: user, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const result = { login: { accountId: user }, consent: { grantId: await grant.save() } };
    context.redirect(await provider.interactionResult(context.req, context.res, result, { mergeWithLastSubmission: false }));
    context.status = 303;
  });
  return provider.callback();
};

const ready = new Promise((done) => input.once("line", (desk) => done(provide(desk))));
process.stdout.write(`${issuer}\n`);
input.once("close", () => process.exit(0));
