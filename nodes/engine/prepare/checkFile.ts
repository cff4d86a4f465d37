import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { type BinaryReference, megabyte } from '../fields/binary';
import { InvalidValue } from '../fields/field';

async function sizeOf(
	{ helpers }: IExecuteFunctions,
	{ id, bytes, data }: IBinaryData,
): Promise<number> {
	if (id) return (await helpers.getBinaryMetadata(id)).fileSize;
	return bytes ?? Math.floor((data.length * 3) / 4);
}

/**
 * Makes sure that an item has the file that it is to send, before anything is sent.
 * @throws InvalidValue when the file is larger than can be uploaded, empty, or not there
 */
export async function checkFile(context: IExecuteFunctions, file: BinaryReference): Promise<void> {
	const stored = context.getInputData()[file.item]?.binary?.[file.property];
	if (!stored)
		throw new InvalidValue(
			file.label,
			`names the field "${file.property.slice(0, 60)}", but the item has no file there. Choose a field that contains a file`,
		);
	const size = await sizeOf(context, stored);
	if (size === 0)
		throw new InvalidValue(
			file.label,
			`names the field "${file.property.slice(0, 60)}", but its file is empty. Check the node that made the file`,
		);
	if (size <= file.maxBytes) return;
	const megabytes = Math.ceil((size / megabyte) * 10) / 10;
	throw new InvalidValue(
		file.label,
		`contains a file of ${megabytes} MB; at most ${file.maxBytes / megabyte} MB can be uploaded`,
	);
}
