/** A workflow that asks a question and returns the answer. */
export const asking = {
  blocks: [
    {
      id: 'ask',
      type: 'human',
      params: { title: 'Ship it?', form: [{ name: 'ship', type: 'boolean', required: true }] },
    },
    { id: 'done', type: 'response', params: { data: { ship: '{{ ask.ship }}' } } },
  ],
  edges: [
    { from: 'start', to: 'ask' },
    { from: 'ask', to: 'done' },
  ],
};
