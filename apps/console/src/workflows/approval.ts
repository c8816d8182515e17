import example from '../../../local/examples/approval.json';

/** The example that the tour uses. */
export const approval = example;
