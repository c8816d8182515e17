import { http, line, type Raw } from '../given.ts';
import { condition, edges, type Row, wait } from './row.ts';

/** An edge to a block whose id is forbidden is no second fault. */
const named = (id: unknown): Raw => ({
  blocks: [{ ...wait('a'), id }],
  edges: typeof id === 'string' && id !== '' ? [{ from: 'start', to: id }] : [],
});
const inputs = (declared: unknown) => line([http('a')], { start: { inputs: declared } });
const variables = (declared: unknown) => line([http('a')], { variables: declared });
const wired = (...texts: string[]) => ({
  blocks: [http('a'), wait('b')],
  edges: edges('start a', 'a b', ...texts),
});
const crowd = (count: number) => Array.from({ length: count }, (_, i) => wait(`b${i}`));
const pairs = (count: number) =>
  crowd(count).flatMap((from, i) => crowd(i).map((to) => ({ from: to.id, to: from.id })));
const wires = (given: unknown) => ({ blocks: [http('a')], edges: given });

/** Ids and names of all kinds. */
export const ids: Row[] = [
  ...[
    'vars',
    'run',
    'loop',
    'branch',
    'secrets',
    'map',
    'true',
    'while',
    'constructor',
    'prototype',
    'dyn',
    'has',
  ].map((id): Row => [`a block named ${id}`, named(id), `${id} blocks[0].id reserved_name`]),
  ['a block without a name', named(''), '- blocks[0].id pattern'],
  ['a block named by a number', named(7), '- blocks[0].id pattern'],
  ['a block named null', named(null), '- blocks[0].id pattern'],
  ['a name that begins with a digit', named('1a'), '1a blocks[0].id pattern'],
  ['a name with a dot', named('a.b'), 'a.b blocks[0].id pattern'],
  ['a name with a space', named('a b'), 'a b blocks[0].id pattern'],
  ['a name with an umlaut', named('größe'), 'größe blocks[0].id pattern'],
  [
    'a display name of 121 characters',
    line([{ ...wait('a'), name: 'x'.repeat(121) }]),
    'a blocks[0].name too_long',
  ],
  ['an empty display name', line([{ ...wait('a'), name: '' }]), 'a blocks[0].name too_short'],
  [
    'a description that is a number',
    line([{ ...wait('a'), description: 1 }]),
    'a blocks[0].description type',
  ],
  [
    'a description of 2,001 characters',
    line([{ ...wait('a'), description: 'x'.repeat(2001) }]),
    'a blocks[0].description too_long',
  ],
  ['a type that is a number', line([{ id: 'a', type: 5 }]), 'a blocks[0].type unknown_type'],
  ['a type in upper case', line([{ id: 'a', type: 'HTTP' }]), 'a blocks[0].type unknown_type'],
  ['no type', line([{ id: 'a' }]), 'a blocks[0].type unknown_type'],
  ['a type that objects have', line([{ id: 'a', type: 'constructor' }]), 'a blocks[0].type unknown_type'],
  ['a block that is text', { blocks: ['http'], edges: [] }, '- blocks[0] type'],
  ['a block that is a list', { blocks: [[]], edges: [] }, '- blocks[0] type'],
  [
    'a member of its own',
    line([{ ...wait('a'), position: { x: 1, y: 2 } }]),
    'a blocks[0].position unknown_key',
  ],
];

/** The declarations of a definition. */
export const declared: Row[] = [
  ['blocks in an object', { blocks: { a: wait('a') }, edges: [] }, '- blocks type'],
  ['edges in an object', wires({}), '- edges type', 'a blocks[0] unreachable'],
  ['edges that are null', wires(null), '- edges type', 'a blocks[0] unreachable'],
  ['a start that is a list', line([http('a')], { start: [] }), '- start type'],
  ['a start with blocks', line([http('a')], { start: { blocks: [] } }), '- start.blocks unknown_key'],
  ['inputs in a list', inputs(['n']), '- start.inputs type'],
  ['an input without a type', inputs({ n: {} }), '- start.inputs.n.type required'],
  ['an input that is text', inputs({ n: 'number' }), '- start.inputs.n type'],
  ['an input without a name', inputs({ '': { type: 'string' } }), '- start.inputs[""] too_short'],
  [
    'bounds of an input that cross',
    inputs({ n: { type: 'number', min: 2, max: 1 } }),
    '- start.inputs.n.min range',
  ],
  [
    'lengths of an input that cross',
    inputs({ n: { type: 'string', minLength: 2, maxLength: 1 } }),
    '- start.inputs.n.minLength range',
  ],
  ['a minimum of a text', inputs({ n: { type: 'string', min: 1 } }), '- start.inputs.n.min not_applicable'],
  ['half a length', inputs({ n: { type: 'string', minLength: 0.5 } }), '- start.inputs.n.minLength range'],
  [
    'a default below the least',
    inputs({ n: { type: 'number', min: 2, default: 1 } }),
    '- start.inputs.n.default min',
  ],
  [
    'a default outside of the choice',
    inputs({ n: { type: 'string', enum: ['a'], default: 'b' } }),
    '- start.inputs.n.default enum',
  ],
  ['an empty enum', inputs({ n: { type: 'string', enum: [] } }), '- start.inputs.n.enum too_few'],
  [
    'an input with a rule of its own',
    inputs({ n: { type: 'string', pattern: 'a' } }),
    '- start.inputs.n.pattern unknown_key',
  ],
  [
    '201 inputs',
    inputs(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`n${i}`, { type: 'string' }]))),
    '- start.inputs too_many',
  ],
  ['variables in a list', variables(['v']), '- variables type'],
  ['a variable without a type', variables({ v: {} }), '- variables.v.type required'],
  ['a variable that is a date', variables({ v: { type: 'date' } }), '- variables.v.type choice'],
  ['a variable named with a dash', variables({ 'v-w': { type: 'number' } }), '- variables.v-w pattern'],
  [
    'a variable that begins as another type',
    variables({ v: { type: 'array', initial: {} } }),
    '- variables.v.initial type',
  ],
  [
    'a variable that is required',
    variables({ v: { type: 'number', required: true } }),
    '- variables.v.required unknown_key',
  ],
  [
    '201 variables',
    variables(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`v${i}`, { type: 'number' }]))),
    '- variables too_many',
  ],
  ['a schema that is not text', line([http('a')], { $schema: 5 }), '- ["$schema"] type'],
  ['a name for the definition', line([http('a')], { name: 'mine' }), '- name unknown_key'],
];

/** Edges and ports. */
export const ways: Row[] = [
  ['an edge that is text', wires(['start a']), '- edges[0] type', 'a blocks[0] unreachable'],
  ['an edge without an end', wires([{ from: 'start' }]), '- edges[0].to required', 'a blocks[0] unreachable'],
  [
    'an edge without a beginning',
    wires([{ to: 'a' }]),
    '- edges[0].from required',
    'a blocks[0] unreachable',
  ],
  ['an edge to a number', wires([{ from: 'start', to: 1 }]), '- edges[0].to type', 'a blocks[0] unreachable'],
  ['an edge with a label', wires([{ from: 'start', to: 'a', label: 'x' }]), '- edges[0].label unknown_key'],
  [
    'an edge of an empty port',
    wires([{ from: 'start', to: 'a', port: '' }]),
    '- edges[0].port too_short',
    '- edges[0].port unknown_port',
  ],
  [
    'an edge of a port that is a number',
    wires([{ from: 'start', to: 'a', port: 1 }]),
    '- edges[0].port type',
    'a blocks[0] unreachable',
  ],
  ['no edge', wires([]), 'a blocks[0] unreachable'],
  ['an edge from the start to the start', wired('start start'), '- edges[2].to edge_to_start'],
  ['an edge twice, once by its port', wired('a b out'), '- edges[2] duplicate_edge'],
  ['an else of a call', wired('a b else'), '- edges[2].port unknown_port'],
  ['an expired of a call', wired('a b expired'), '- edges[2].port unknown_port'],
  ['an edge of the error port twice', wired('a b error', 'a b error'), '- edges[3] duplicate_edge'],
  [
    'a port of a case in other letters',
    { blocks: [condition('a', 'true'), wait('b')], edges: edges('start a', 'a b Yes') },
    '- edges[1].port unknown_port',
  ],
  ['an edge to an id in other letters', wired('b A'), '- edges[2].to unknown_block'],
  [
    'a block behind a block that nothing leads to',
    { blocks: [http('a'), wait('b'), wait('c')], edges: edges('start a', 'b c') },
    'b blocks[1] unreachable',
    'c blocks[2] unreachable',
  ],
  [
    'a cycle that nothing leads to',
    { blocks: [http('a'), wait('b'), wait('c')], edges: edges('start a', 'b c', 'c b') },
    'b blocks[1] unreachable',
    'c blocks[2] unreachable',
    'b blocks[1] cycle',
  ],
  ['a cycle by the error port', wired('b a error'), 'a blocks[0] cycle'],
  ['a cycle through the start', wired('b start'), '- edges[2].to edge_to_start'],
  [
    'two blocks of one id with edges',
    { blocks: [http('a'), wait('a')], edges: edges('start a') },
    'a blocks[1].id duplicate_id',
  ],
  [
    '2,001 edges',
    { blocks: crowd(64), edges: [...edges('start b0'), ...pairs(64).slice(0, 2000)] },
    '- edges too_many',
  ],
  ['501 blocks', line(crowd(501)), '- blocks too_many'],
];
