/** A workflow that asks one question and answers what was said. */
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
