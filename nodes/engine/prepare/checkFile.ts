import type { IExecuteFunctions } from 'n8n-workflow';
import { type BinaryReference, megabyte } from '../fields/binary';
import { InvalidValue } from '../fields/field';

/**
 * Makes sure that an item has the file that it is to send, before anything is sent.
 * @throws InvalidValue when the file is larger than can be uploaded, empty, or not there
 */
export async function checkFile(context: IExecuteFunctions, file: BinaryReference): Promise<void> {
	const refuse = (text: string): never => {
		throw new InvalidValue(file.label, text);
	};
	const stored = context.getInputData()[file.item]?.binary?.[file.property];
	const named = `names the field "${file.property.slice(0, 60)}", but`;
	if (!stored)
		return refuse(`${named} the item has no file there. Choose a field that contains a file`);
	const { id, bytes, data } = stored;
	const known = id ? (await context.helpers.getBinaryMetadata(id)).fileSize : bytes;
	const size = known ?? Math.floor((data.length * 3) / 4);
	if (size === 0) refuse(`${named} its file is empty. Check the node that made the file`);
	const [megabytes, most] = [Math.ceil((size / megabyte) * 10) / 10, file.maxBytes / megabyte];
	if (size > file.maxBytes)
		refuse(`contains a file of ${megabytes} MB; at most ${most} MB can be uploaded`);
}
