import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from racing_odds_client import WebhookVerificationError, verify_webhook

secret = os.environ["WEBHOOK_SECRET"]


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(secret, self.headers, body)
        except WebhookVerificationError:
            self.send_response(400)
        else:
            print(event["event"], flush=True)
            self.send_response(204)
        self.end_headers()


server = HTTPServer(("", int(os.environ.get("PORT", "8787"))), Receiver)
print("listening", flush=True)
server.serve_forever()
