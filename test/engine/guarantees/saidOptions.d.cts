/** What a title does not say about the options that a node has, for example "Max Retries 0". */
export declare const unsaid: (title: string, options?: Record<string, unknown>) => string[];
