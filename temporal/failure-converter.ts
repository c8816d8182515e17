import { DefaultFailureConverter, type PayloadConverter, type ProtoFailure } from '@temporalio/common';
import { screenText } from '#libs/platform/text/whole-text';

/**
 * Screens the texts of every failure that leaves a process for Temporal. A message of Temporal holds no half of a
 * surrogate pair: a worker that sends one cannot complete its task, and ends.
 */
export class ScreenedFailureConverter extends DefaultFailureConverter {
  override errorToFailure(error: unknown, payloads: PayloadConverter): ProtoFailure {
    return screened(super.errorToFailure(error, payloads));
  }
}

function screened({ message, stackTrace, source, applicationFailureInfo, cause, ...rest }: ProtoFailure) {
  const failure: ProtoFailure = { ...rest };
  for (const [name, text] of Object.entries({ message, stackTrace, source }))
    if (typeof text === 'string') failure[name as 'message'] = screenText(text);
  if (applicationFailureInfo)
    failure.applicationFailureInfo = {
      ...applicationFailureInfo,
      type: screenText(applicationFailureInfo.type ?? ''),
    };
  if (cause) failure.cause = screened(cause);
  return failure;
}

/** The converter of processes that do not seal payloads. */
export const failureConverter = new ScreenedFailureConverter();
