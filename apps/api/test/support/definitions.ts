/** Definitions that several tests run. Each is the smallest one with its property. */

/** Pure: a condition and a response, no effect. */
export const pure = {
  start: {
    inputs: { amount: { type: 'number', required: true }, note: { type: 'string', default: 'none' } },
  },
  blocks: [
    { id: 'check', type: 'condition', cases: [{ port: 'large', when: 'start.amount > 1000' }] },
    { id: 'large', type: 'response', params: { data: { size: 'large', amount: '{{ start.amount }}' } } },
    {
      id: 'small',
      type: 'response',
      params: { data: { size: 'small', amount: '{{ start.amount }}', note: '{{ start.note }}' } },
    },
  ],
  edges: [
    { from: 'start', to: 'check' },
    { from: 'check', port: 'large', to: 'large' },
    { from: 'check', port: 'else', to: 'small' },
  ],
};

/** Pure, behind a short wait, so that it does not end in the API. */
export const waiting = {
  ...pure,
  blocks: [{ id: 'rest', type: 'wait', params: { duration: 0.01 } }, ...pure.blocks],
  edges: [{ from: 'start', to: 'rest' }, { from: 'rest', to: 'check' }, ...pure.edges.slice(1)],
};

/** One pause, then a response that repeats its answer. */
export const approval = {
  start: { inputs: { amount: { type: 'number', default: 1 } } },
  blocks: [
    {
      id: 'approve',
      type: 'human',
      params: {
        title: 'Approve {{ start.amount }}?',
        message: 'Please decide.',
        fields: [{ label: 'Amount', value: '{{ start.amount }}' }],
        form: [
          { name: 'approved', type: 'boolean', label: 'Approved', required: true },
          { name: 'note', type: 'text', label: 'Note', max: 20 },
        ],
      },
    },
    {
      id: 'done',
      type: 'response',
      params: { data: { approved: '{{ approve.approved }}', note: '{{ approve.note }}' } },
    },
  ],
  edges: [
    { from: 'start', to: 'approve' },
    { from: 'approve', to: 'done' },
  ],
};

/** Two pauses at the same time, and a response that needs both answers. */
export const twoApprovals = {
  blocks: [
    {
      id: 'left',
      type: 'human',
      params: { title: 'Left?', form: [{ name: 'ok', type: 'boolean', label: 'Ok', required: true }] },
    },
    {
      id: 'right',
      type: 'human',
      params: { title: 'Right?', form: [{ name: 'ok', type: 'boolean', label: 'Ok', required: true }] },
    },
    { id: 'both', type: 'response', params: { data: { left: '{{ left.ok }}', right: '{{ right.ok }}' } } },
  ],
  edges: [
    { from: 'start', to: 'left' },
    { from: 'start', to: 'right' },
    { from: 'left', to: 'both' },
    { from: 'right', to: 'both' },
  ],
};

/** Calls one URL, then another, and responds with the second result. */
export const twoCalls = {
  start: {
    inputs: { first: { type: 'string', required: true }, second: { type: 'string', required: true } },
  },
  blocks: [
    {
      id: 'one',
      type: 'http',
      params: { method: 'POST', url: '{{ start.first }}', body: { n: 1 }, idempotent: true },
    },
    {
      id: 'two',
      type: 'http',
      params: { method: 'POST', url: '{{ start.second }}', body: { n: 2 }, idempotent: true },
    },
    { id: 'done', type: 'response', params: { data: '{{ two.data }}' } },
  ],
  edges: [
    { from: 'start', to: 'one' },
    { from: 'one', to: 'two' },
    { from: 'two', to: 'done' },
  ],
};

/** One field of every type. */
export const everything = {
  blocks: [
    {
      id: 'ask',
      type: 'human',
      params: {
        title: 'Everything?',
        fields: [
          { label: 'Items', value: [{ name: 'pen', price: 2 }, { name: 'ink' }] },
          { label: 'Address', value: { city: 'Ulm' } },
        ],
        form: [
          { name: 'line', type: 'string', placeholder: 'one line' },
          { name: 'lines', type: 'text', description: 'Several lines.', max: 5 },
          { name: 'count', type: 'number', min: 1, max: 9, default: 3 },
          { name: 'sure', type: 'boolean', required: true },
          { name: 'day', type: 'date' },
          { name: 'size', type: 'select', options: [{ label: 'Small', value: 's' }, 'l'], default: 's' },
          { name: 'colours', type: 'multiselect', options: ['red', 'green', 'blue'], default: ['red'] },
          { name: 'data', type: 'json' },
          { name: 'scan', type: 'file' },
        ],
      },
    },
    { id: 'done', type: 'response', params: { data: { size: '{{ ask.size }}' } } },
  ],
  edges: [
    { from: 'start', to: 'ask' },
    { from: 'ask', to: 'done' },
  ],
};

/** One pause that an agent may answer for its user. */
export const approvalByAgents = {
  ...approval,
  blocks: approval.blocks.map((block) => ({
    ...block,
    ...(block.type === 'human' ? { params: { ...block.params, agentMayAnswer: true } } : {}),
  })),
};

/** A run that waits for longer than a caller does. */
export const longRest = {
  blocks: [
    { id: 'rest', type: 'wait', params: { duration: 30 } },
    { id: 'done', type: 'response', params: { data: { done: true } } },
  ],
  edges: [
    { from: 'start', to: 'rest' },
    { from: 'rest', to: 'done' },
  ],
};
