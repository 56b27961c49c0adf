# Firemeter: a local Firebase that meters every byte.
# SPDX-License-Identifier: Apache-2.0

"""Stand-ins for the services which Google's Storage suites want beside Cloud Storage: access tokens and Pub/Sub topics.

Writes a service account's key, which opens nothing, to the file named; prints one line of JSON with the addresses.
"""

import concurrent.futures
import json
import pathlib
import sys

import grpc
from google.iam.v1 import iam_policy_pb2, policy_pb2
from google.protobuf import empty_pb2
from google.pubsub_v1 import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "plugins"))
from access_tokens import token_server  # noqa: E402
from service_account import service_account_key  # noqa: E402


def method(request, answer, respond):
    return grpc.unary_unary_rpc_method_handler(
        lambda message, _: respond(message), request_deserializer=request, response_serializer=answer
    )


def publisher():
    """As much of Pub/Sub as the suites touch: topics come and go, and have a policy. Nothing is ever published."""
    topics = {
        "CreateTopic": method(types.Topic.deserialize, types.Topic.serialize, lambda topic: topic),
        "DeleteTopic": method(
            types.DeleteTopicRequest.deserialize, empty_pb2.Empty.SerializeToString, lambda _: empty_pb2.Empty()
        ),
    }
    serialize = policy_pb2.Policy.SerializeToString
    policies = {
        "GetIamPolicy": method(
            iam_policy_pb2.GetIamPolicyRequest.FromString, serialize, lambda _: policy_pb2.Policy()
        ),
        "SetIamPolicy": method(
            iam_policy_pb2.SetIamPolicyRequest.FromString, serialize, lambda request: request.policy
        ),
    }
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=2))
    server.add_generic_rpc_handlers(
        [
            grpc.method_handlers_generic_handler("google.pubsub.v1.Publisher", topics),
            grpc.method_handlers_generic_handler("google.iam.v1.IAMPolicy", policies),
        ]
    )
    return server


def main():
    project, key_file = sys.argv[1:]
    tokens, token_uri = token_server()
    key = service_account_key(project, token_uri)
    pathlib.Path(key_file).write_text(json.dumps(key), encoding="utf-8")
    pubsub = publisher()
    port = pubsub.add_insecure_port("127.0.0.1:0")
    pubsub.start()
    print(json.dumps({"key": key_file, "pubsub": f"127.0.0.1:{port}"}), flush=True)
    tokens.serve_forever()


if __name__ == "__main__":
    main()
