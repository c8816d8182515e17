/** Three pure blocks: the cost of a run without any effect. */
export const pure = {
  start: { inputs: { amount: { type: 'number', required: true } } },
  variables: { size: { type: 'string', initial: 'small' } },
  blocks: [
    { id: 'check', type: 'condition', cases: [{ port: 'large', when: 'start.amount > 1000' }] },
    { id: 'name', type: 'variables', params: { set: { size: 'large' } } },
    {
      id: 'done',
      type: 'response',
      params: { data: { size: '{{ vars.size }}', amount: '{{ start.amount }}' } },
    },
  ],
  edges: [
    { from: 'start', to: 'check' },
    { from: 'check', port: 'large', to: 'name' },
    { from: 'name', to: 'done' },
  ],
};

/** A question to a person, and an answer that repeats it. */
export const approval = {
  blocks: [
    {
      id: 'approve',
      type: 'human',
      params: {
        title: 'Approve?',
        form: [{ name: 'approved', type: 'boolean', label: 'Approved', required: true }],
      },
    },
    { id: 'done', type: 'response', params: { data: { approved: '{{ approve.approved }}' } } },
  ],
  edges: [
    { from: 'start', to: 'approve' },
    { from: 'approve', to: 'done' },
  ],
};
