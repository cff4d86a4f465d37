import { formsOf } from '../phone/phoneNumber';

export const hiding = '*•●∙…_#';

const hidden = new RegExp(`[${hiding}]{2}|…|x{3}`, 'i');
const gaps = new RegExp(`[${hiding}]+|x{3,}`);

/** Whether a text hides a part of a number or an email address: `+49151*****11`, `a***@example.com`. */
export const isMasked = (text: string): boolean => hidden.test(text);

/** Whether a text has all parts in their order, the first at its beginning and the last at its end. */
function hasParts(text: string, parts: string[]): boolean {
	let from = 0;
	return parts.every((part, index) => {
		const isLast = index === parts.length - 1;
		const at = isLast ? text.length - part.length : text.indexOf(part, from);
		const fits = at >= from && (index > 0 || at === 0) && text.startsWith(part, at);
		from = at + part.length;
		return fits;
	});
}

/** Whether a number in E.164 or an email address fits what a text shows of one, or digits that a spreadsheet cut. */
export function likenessOf(text: string): (form: string) => boolean {
	const bare = text.normalize('NFKC').toLowerCase();
	if (bare.includes('@')) {
		const parts = bare.replace(/\s/g, '').split(gaps);
		return (form) => hasParts(form, parts);
	}
	const cut = bare.replace(/e\+?\d+$/, '…');
	const digits = cut.replace(/\(\s*0\s*\)|[\s()./-]/g, '').replace(/^\+?0+/, '');
	const parts = ['', ...(digits.match(/\d+/g) ?? ['']), ...(/\d$/.test(cut) ? [] : [''])];
	const fits = (form: string): boolean => hasParts(form.slice(1), parts);
	return (form) => !form.includes('@') && formsOf(`+${form.replace(/\D/g, '')}`).some(fits);
}
