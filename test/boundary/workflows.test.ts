// Names between the workflows, their activities, and the code that starts, signals or queries them. A race lives for
// days and across several deploys. Replay compares commands, not arguments: it does not notice a renamed effect, but
// this test does.
import searchAttributes from '../../scripts/servers/search-attributes.json';
import { REAL_TIME } from '../../src/domain/time/clock';
import { PERIODIC, scheduleOf } from '../../src/workers/schedules/table';
import { QUEUES, raceWorkflowId, WORKFLOWS } from '../../src/workflows/contract';
import { expectListed } from './listed';
import { declared, exportedAs, linesOf, Shapes } from './shapes';
import { callsOf, everywhere, MODULES, memberOf, type Node, textOf } from './source';

const MEANS = `A race under way, or one that was continued as new, still has the old values: add a name beside them, never rename or remove one
before no running workflow can hold it. What is added may be absent in what an older version wrote. Then edit the list by hand.`;

/** Found from both ends of everything that crosses, wherever they are. */
const carry = exportedAs('RaceCarry');
const activities = exportedAs('Activities');

const NAMED = new Map([
  ['RaceInput', exportedAs('RaceInput')],
  ['RaceCarry', carry],
  ['RaceState', declared('RaceState', carry.path)],
  ['RaceEvent', declared('RaceEvent', carry.path)],
  ['RaceEffect', exportedAs('RaceEffect')],
]);
const shapes = new Shapes(NAMED);

const argsOf = (what: string, params: readonly Node[], path: string): string[] =>
  params.flatMap((param, index) => {
    const [named] = [param.pat ?? param].map((one) => (one.type === 'AssignmentPattern' ? one.left : one));
    return linesOf(`${what}(${index})`, shapes.read(named.typeAnnotation.typeAnnotation, path));
  });

function activityLines(): string[] {
  const { node, path } = activities;
  return node.body.body.flatMap(({ key, params, typeAnn }: Node) => [
    ...argsOf(`activity ${key.value}`, params, path),
    ...linesOf(`activity ${key.value} returns`, shapes.read(typeAnn.typeAnnotation, path)),
  ]);
}

/** The argument of a method called `heartbeat`: the details that an activity's next attempt reads. */
function heartbeatLines(): string[] {
  return everywhere((node, path) =>
    node.type === 'TsMethodSignature' && node.key.value === 'heartbeat'
      ? argsOf('heartbeat', node.params, path)
      : undefined,
  ).flat();
}

function messageLines(): string[] {
  return callsOf('defineSignal', 'defineUpdate', 'defineQuery').flatMap(({ name, args, typeArgs, path }) => {
    const what = `${name.slice('define'.length).toLowerCase()} ${textOf(args[0], name)}`;
    return [what, ...typeArgs.flatMap((node, index) => linesOf(`${what}<${index}>`, shapes.read(node, path)))];
  });
}

/** Exported functions of the workflows' index: the bundle runs them by these names. */
const WORKFLOW_TYPES: readonly string[] = MODULES.get('workflows/index.ts')!.flatMap(({ specifiers }) =>
  specifiers.map((one: Node) => (one.exported ?? one.orig).value),
);

function workflowLines(): string[] {
  return WORKFLOW_TYPES.flatMap((type) => {
    const { node, path } = declared(type, 'workflows/index.ts');
    const returns = shapes.read(node.returnType.typeAnnotation, path);
    return [...argsOf(`workflow ${type}`, node.params, path), ...linesOf(`workflow ${type} returns`, returns)];
  });
}

test('types of workflows, activities and messages, with everything they carry', () => {
  const lines = [
    ...workflowLines(),
    ...activityLines(),
    ...heartbeatLines(),
    ...messageLines(),
    ...[...NAMED].flatMap(([name, found]) => linesOf(name, shapes.body(found))),
  ];
  expectListed('workflows.txt', lines, MEANS);
});

test('patches, failure types, schedules, queues, ids and search attributes', () => {
  const patches = callsOf('patched', 'deprecatePatch').map(({ name, args }) => `${name} ${textOf(args[0], 'a patch')}`);
  const failures = [
    ...callsOf('create').flatMap(({ args }) => memberOf(args[0], 'type') ?? []),
    ...callsOf('nonRetryable', 'retryable').map(({ args }) => args[1]),
  ].map((type) => `failure ${textOf(type, "a failure's type")}`);
  const schedules = Object.keys(PERIODIC).map((id) => {
    const { action } = scheduleOf(id, REAL_TIME);
    return `schedule ${id} starts ${action.workflowType} as ${action.workflowId}`;
  });
  const attributes = callsOf('defineSearchAttributeKey').map(({ args }) => textOf(args[0], 'a search attribute'));
  expect(attributes.sort()).toEqual(Object.keys(searchAttributes).sort());
  const lines = [
    ...patches,
    ...failures,
    ...schedules,
    ...Object.entries(QUEUES).map(([role, queue]) => `queue of ${role}: ${queue}`),
    ...Object.values(WORKFLOWS).map((type) => `started by name: ${type}`),
    `workflow of the race R: ${raceWorkflowId('R')}`,
    ...Object.entries(searchAttributes).map(([name, type]) => `search attribute ${name}: ${type}`),
  ];
  expectListed('temporal-names.txt', lines, MEANS);
});
