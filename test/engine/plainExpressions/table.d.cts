export const plain: string[];
export const leftToN8n: string[];
export const composed: unknown[];
export function items(): object[];
