/** A rule for people who become members when they sign in: people with an address of this domain, or in this group at the provider. */
export interface JoinRule {
  workspaceId: string;
  role: 'viewer' | 'editor' | 'admin';
  /** The part of a mail address after the @. */
  domain?: string;
  group?: string;
}

/** A provider of OpenID Connect by which people sign in. */
export interface IdentityProvider {
  /** The id of the provider in URLs. */
  id: string;
  /** The text of the sign-in button. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** The claim that lists the groups of a person. */
  groupsClaim: string;
  join: JoinRule[];
  /** The longest session after a sign-in by this provider, in milliseconds. So a person who was removed there loses access after this time. */
  sessionMs: number;
}

const roles = ['viewer', 'editor', 'admin'] as const;
const members = [
  'id',
  'name',
  'issuer',
  'clientId',
  'clientSecret',
  'scope',
  'groupsClaim',
  'join',
  'sessionHours',
];

/** Reads `OIDC_PROVIDERS`, a JSON list. Throws a sentence that names the entry and the member, and never shows a secret. */
export function parseIdentityProviders(text: string): IdentityProvider[] {
  const list = parsedList(text);
  const providers = list.map((entry, index) => parseProvider(entry, `OIDC_PROVIDERS: [${index}]`));
  if (new Set(providers.map(({ id }) => id)).size < providers.length)
    throw new Error('OIDC_PROVIDERS must hold each id once.');
  return providers;
}

function parsedList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // The error below says which form is required.
  }
  throw new Error('OIDC_PROVIDERS must be a JSON list of providers.');
}

function parseProvider(entry: unknown, at: string): IdentityProvider {
  const given = parseRecord(entry, at, members);
  const text = (member: string, pattern: RegExp, fallback?: string): string => {
    const value = given[member] ?? fallback;
    if (typeof value !== 'string' || !pattern.test(value))
      throw new Error(`${at}.${member} is missing or has the wrong form.`);
    return value;
  };
  const id = text('id', /^[a-z0-9-]{1,40}$/);
  const hours = given['sessionHours'] ?? 12;
  if (typeof hours !== 'number' || !(hours > 0 && hours <= 8760))
    throw new Error(`${at}.sessionHours must be a number of hours above 0 and at most 8760.`);
  const { join = [] } = given;
  if (!Array.isArray(join)) throw new Error(`${at}.join must be a list of rules.`);
  return {
    id,
    name: text('name', /^.{1,60}$/, id),
    issuer: text('issuer', /^https?:\/\/[^\s?#]+$/),
    clientId: text('clientId', /^\S+$/),
    clientSecret: text('clientSecret', /^\S+$/),
    scope: text('scope', /^[\w .:/-]+$/, 'openid email profile'),
    groupsClaim: text('groupsClaim', /^\S{1,100}$/, 'groups'),
    join: join.map((rule, index) => parseJoinRule(rule, `${at}.join[${index}]`)),
    sessionMs: hours * 3_600_000,
  };
}

function parseJoinRule(entry: unknown, at: string): JoinRule {
  const given = parseRecord(entry, at, ['workspaceId', 'role', 'domain', 'group']);
  const { workspaceId, domain, group } = given;
  const role = roles.find((one) => one === given['role']);
  if (typeof workspaceId !== 'string' || !/^ws_[0-9a-z]+$/.test(workspaceId))
    throw new Error(`${at}.workspaceId must be the id of a workspace.`);
  if (!role) throw new Error(`${at}.role must be viewer, editor or admin.`);
  if (typeof domain === 'string' && group === undefined && /^[\w-]+(\.[\w-]+)+$/.test(domain))
    return { workspaceId, role, domain: domain.toLowerCase() };
  if (typeof group === 'string' && domain === undefined && group.length > 0)
    return { workspaceId, role, group };
  throw new Error(`${at} must have either a domain or a group.`);
}

function parseRecord(value: unknown, at: string, known: string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${at} must be an object.`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`${at}.${unknown} is not a known member.`);
  return { ...value };
}
