import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { promtool } from './support/promtool.ts';

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

interface Rules {
  groups: { rules: Rule[] }[];
}

interface Cases {
  tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[];
}

const text = (name: string) => readFileSync(`apps/deploy/monitoring/${name}`, 'utf8');
const rulesOf = ({ groups }: Rules) => groups.flatMap(({ rules }) => rules);
const alerts = rulesOf(parse(text('alerts.yaml')) as Rules);
const page = readFileSync('apps/docs/pages/incidents.md', 'utf8');
const dashboard = text('dashboard.json');

/** The expressions of the dashboard, with its variables filled in. */
const queries = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, quoted = '""']) =>
  String(JSON.parse(quoted)).replaceAll('$__rate_interval', '5m'),
);

const folder = mkdtempSync(join(tmpdir(), 'holdfast-alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The faults that promtool finds in the rules; nothing when it finds none. */
function faultsOf(tool: string, rules: object, ...command: string[]): string {
  writeFileSync(join(folder, 'alerts.yaml'), stringify(rules));
  writeFileSync(join(folder, 'alerts.test.yaml'), text('alerts.test.yaml'));
  const { status, stdout, stderr } = spawnSync(tool, command, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

describe('each alert', () => {
  test('each alert is tried while it must fire and while it must not', () => {
    const { tests } = parse(text('alerts.test.yaml')) as Cases;
    const tried = tests.flatMap((one) => one.alert_rule_test);
    for (const { alert } of alerts) {
      const expected = tried
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts: all }) => all.length);
      expect([alert, ...expected]).toEqual([alert, 1, 0]);
    }
  });

  test('each alert has a section with advice on the page', () => {
    const headings = [...page.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
    expect(headings.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    const links = alerts.map(({ alert, annotations }) => [alert, annotations.runbook]);
    expect(links).toEqual(alerts.map(({ alert }) => [alert, `/docs/incidents#${alert.toLowerCase()}`]));
  });
});

describeWith('promtool')('promtool', () => {
  let tool: string;
  beforeAll(() => {
    tool = promtool();
  });
  const tried = ['test', 'rules', 'alerts.test.yaml'];
  const allAs = (expr: string) => ({
    groups: [{ name: 'holdfast', rules: alerts.map((rule) => ({ ...rule, expr })) }],
  });

  test('promtool finds that each alert fires when it must and stays quiet when it must', () => {
    expect(faultsOf(tool, parse(text('alerts.yaml')) as Rules, ...tried)).toBe('');
  });

  test.each([
    ['never', 'fires', 'vector(0) > 1'],
    ['always', 'is quiet', 'vector(1)'],
  ])('promtool finds it of each alert when it fires %s', (_, kind, expr) => {
    const faults = faultsOf(tool, allAs(expr), ...tried);
    const missed = alerts.filter(({ alert }) => !faults.includes(`${alert.replace('Holdfast', '')} ${kind}`));
    expect(missed.map(({ alert }) => alert)).toEqual([]);
  });

  test('promtool can read every query of the dashboard', () => {
    expect(queries.length).toBeGreaterThan(15);
    const rules = queries.map((expr, i) => ({ record: `panel${i}`, expr }));
    const recorded = { groups: [{ name: 'dashboard', rules }] };
    expect(faultsOf(tool, recorded, 'check', 'rules', 'alerts.yaml')).toBe('');
  });
});
