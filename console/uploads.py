"""Files that people upload: what goes beyond the limit is read to its end, so that the answer arrives, and not kept."""

from typing import override

from django.core.files.uploadhandler import FileUploadHandler, StopUpload

from drafts.decisions.drift_files import LARGEST_FILE


class UpToTheLimit(FileUploadHandler):
    """Stops an upload beyond the limit; its view then finds no file, and a body that is longer than the limit."""

    @override
    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Hand a piece on to the next handler. Raises StopUpload beyond the limit."""
        if start + len(raw_data) > LARGEST_FILE:
            raise StopUpload(connection_reset=False)
        return raw_data

    @override
    def file_complete(self, file_size: int) -> None:
        """Leave the file to the next handler."""
